//! Tests of boards that `pipeline serve` reads and writes: every reader gives the cells of the
//! text.

use mineflow::rng::{Rng, Seed};
use rand::RngExt;
use serde_json::{Value, json};

use crate::serve::Server;

#[test]
fn boards_round_trip() {
    let server = Server::start("");
    let field = ["..*", "*..", "..."];
    let written = server
        .post(
            "/api/write",
            &json!({"width": 3, "height": 3, "mines": 2, "field": field, "rows": ["#2#", "###", "11F"]}),
        )
        .json(200);
    assert_eq!(
        server
            .post("/api/read", &json!({"text": written["links"][0]["url"]}))
            .json(200)["rows"],
        json!(["#2#", "###", "11F"])
    );
    assert_eq!(
        server
            .post("/api/read", &json!({"base64": written["mbf"]}))
            .json(200)["field"],
        json!(field)
    );
    let back = server
        .post("/api/read", &json!({"text": written["text"]}))
        .json(200);
    assert_eq!(
        (&back["rows"], &back["field"]),
        (&json!(["#2#", "###", "11F"]), &json!(field))
    );
    assert_eq!(
        server
            .post("/api/read", &json!({"text": written["mine"]}))
            .json(200)["what"],
        "position"
    );
}

#[test]
fn a_contradiction_names_its_cells() {
    let server = Server::start("");
    let question = json!({"width": 4, "height": 2, "mines": 3, "rows": ["1#11", "1#3#"]});
    let refused = server.post("/api/analyse", &question).json(422);
    assert!(
        refused["error"].as_str().unwrap().contains("contradicts"),
        "{refused}"
    );
    assert!(!refused["cells"].as_array().unwrap().is_empty());
}

/// Returns positions of arbitrary cells: most of them are contradictory, and most of the rest can't
/// be reached by a game.
fn any_positions(count: usize) -> impl Iterator<Item = Value> {
    let mut rng = Seed::new(7).rng();
    (0..count).map(move |number| {
        let (width, height) = (rng.random_range(1..8usize), rng.random_range(1..8usize));
        let letters: &[u8] = if number % 2 == 0 { b"#F012345678" } else { b"#######F012" };
        let letter = |rng: &mut Rng| char::from(letters[rng.random_range(0..letters.len())]);
        let rows: Vec<String> = (0..height).map(|_| (0..width).map(|_| letter(&mut rng)).collect()).collect();
        json!({"width": width, "height": height, "mines": number % (width * height + 1), "rows": rows})
    })
}

#[test]
fn a_position_is_read_as_it_stands() {
    let server = Server::start("");
    for (file, layouts) in [
        (
            include_str!("data/positions/zero-beside-covered.mine"),
            "4368",
        ),
        (
            include_str!("data/positions/jumanji-position.mine"),
            "241672983552",
        ),
        (include_str!("data/positions/jsm-lost-game.mine"), "0"),
    ] {
        let read = server.post("/api/read", &json!({"text": file})).json(200);
        let rows: Vec<String> = file
            .lines()
            .skip(1)
            .map(|row| row.replace(['H', '?'], "#"))
            .collect();
        assert_eq!(
            (&read["what"], &read["rows"]),
            (&json!("position"), &json!(rows))
        );
        let analysed = server.post("/api/analyse", &read);
        match layouts {
            "0" => drop(analysed.json(422)),
            _ => assert_eq!(analysed.json(200)["solutions"], json!(layouts)),
        }
    }
    for position in any_positions(300) {
        let solved = server.post("/api/solve", &position);
        if solved.status == 200 {
            let probabilities = solved.json(200)["mine_probability"].clone();
            for (row, given) in probabilities
                .as_array()
                .unwrap()
                .iter()
                .zip(position["rows"].as_array().unwrap())
            {
                let covered = given
                    .as_str()
                    .unwrap()
                    .chars()
                    .map(|letter| !letter.is_ascii_digit());
                assert!(
                    row.as_array()
                        .unwrap()
                        .iter()
                        .map(Value::is_number)
                        .eq(covered),
                    "{position}"
                );
            }
        }
        let written = server.post("/api/write", &position).json(200);
        for text in [
            &written["text"],
            &written["mine"],
            &written["links"][0]["url"],
        ] {
            let read = server.post("/api/read", &json!({"text": text})).json(200);
            for key in ["width", "height", "mines", "rows"] {
                assert_eq!(read[key], position[key], "{text}");
            }
        }
    }
}

#[test]
fn a_position_beyond_the_node_limit_is_still_read() {
    let rows = "#".repeat(19) + "\n" + &"#4".repeat(9) + "#\n";
    let text = format!("19x18x180\n{}", rows.repeat(9));
    let server = Server::start("--node-limit 1");
    let read = server.post("/api/read", &json!({"text": text})).json(200);
    assert_eq!(read["rows"].as_array().unwrap().len(), 18);
}

#[test]
fn a_won_position_is_reported_and_no_player_moves() {
    let server = Server::start("");
    for (width, height, mines, rows) in [
        (3, 2, 1, json!(["#10", "110"])),
        (3, 2, 1, json!(["F10", "110"])),
        (2, 2, 0, json!(["00", "00"])),
    ] {
        let question = json!({"width": width, "height": height, "mines": mines, "rows": rows, "players": ["4.0", "11.0"]});
        let answer = server.post("/api/analyse", &question).json(200);
        assert_eq!(
            (&answer["won"], &answer["win"], &answer["advice"]),
            (&json!(true), &json!(1.0), &json!([]))
        );
    }
    let question =
        json!({"width": 3, "height": 2, "mines": 1, "rows": ["#10", "11#"], "players": ["4.0"]});
    let answer = server.post("/api/analyse", &question).json(200);
    assert_eq!(
        (&answer["won"], answer["advice"].as_array().unwrap().len()),
        (&json!(false), 1)
    );
    // There are as many covered cells as mines, but the numbers contradict each other.
    let question = json!({"width": 3, "height": 2, "mines": 1, "rows": ["#10", "210"]});
    assert_eq!(server.post("/api/analyse", &question).status, 422);
}
