//! Tests of sizes of memory as users write them, and of the free memory that the system reports.

use mineflow_cli::memory::{Bytes, free_of};

#[test]
fn sizes_are_whole_numbers_with_a_unit() {
    assert_eq!("4GiB".parse(), Ok(Bytes(4 << 30)));
    assert_eq!("800MiB".parse(), Ok(Bytes(800 << 20)));
    for wrong in ["", "4", "GiB", "-1GiB", "1.5GiB", "99999999999TiB"] {
        assert!(wrong.parse::<Bytes>().is_err(), "{wrong}");
    }
}

#[test]
fn free_memory_is_the_least_of_the_machine_the_groups_around_and_the_limits() {
    let status = ("proc/self/status", "VmSize:\t3 kB\nVmData:\t2 kB\n");
    let limits = |space, data| {
        let line = |name, most| format!("{name}  {most}  unlimited  bytes\n");
        line("Max data size", data) + &line("Max address space", space)
    };
    let cases: [(&[(&str, &str)], u64); 7] = [
        (&[], u64::MAX),
        (
            &[("proc/meminfo", "MemFree: 7 kB\nMemAvailable:    9 kB\n")],
            9 << 10,
        ),
        (
            &[
                status,
                ("proc/self/limits", &limits("unlimited", "unlimited")),
            ],
            u64::MAX,
        ),
        (
            &[status, ("proc/self/limits", &limits("8192", "unlimited"))],
            8192 - (3 << 10),
        ),
        (
            &[status, ("proc/self/limits", &limits("unlimited", "4096"))],
            4096 - (2 << 10),
        ),
        (
            &[
                ("proc/self/cgroup", "0::/user/job\n"),
                ("sys/fs/cgroup/user/job/memory.max", "max\n"),
                ("sys/fs/cgroup/user/job/memory.current", "100\n"),
                ("sys/fs/cgroup/user/memory.max", "1000\n"),
                ("sys/fs/cgroup/user/memory.current", "700\n"),
                (
                    "sys/fs/cgroup/user/memory.stat",
                    "anon 500\ninactive_file 50\n",
                ),
            ],
            350,
        ),
        (
            &[
                (
                    "proc/self/cgroup",
                    "5:cpu,memory:/docker/one\n1:name=systemd:/\n",
                ),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000\n"),
                ("sys/fs/cgroup/memory/memory.usage_in_bytes", "700\n"),
            ],
            1300,
        ),
    ];
    for (files, expected) in cases {
        let text = |asked: &str| {
            let of = files.iter().find(|(file, _)| asked == format!("/{file}"));
            of.map_or_else(String::new, |(_, text)| (*text).to_owned())
        };
        assert_eq!(free_of(text), expected, "{files:?}");
    }
}
