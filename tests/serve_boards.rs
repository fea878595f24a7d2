//! Tests of boards that `pipeline serve` reads and writes: every reader gives the cells of the
//! text.

use serde_json::{Value, json};

use crate::serve::{Server, list};

#[test]
fn boards_round_trip() {
    let server = Server::start("");
    let [field, rows] = [["..*", "*..", "..."], ["#2#", "###", "11F"]].map(|rows| json!(rows));
    let board = json!({"width": 3, "height": 3, "mines": 2, "field": field, "rows": rows});
    let written = server.post("/api/write", &board).json(200);
    let read = |key: &str, from: &Value| server.post("/api/read", &json!({key: from})).json(200);
    assert_eq!(read("text", &written["links"][0]["url"])["rows"], rows);
    assert_eq!(read("base64", &written["mbf"])["field"], field);
    let back = read("text", &written["text"]);
    assert_eq!((&back["rows"], &back["field"]), (&rows, &field));
    assert_eq!(read("text", &written["mine"])["what"], "position");
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
    assert!(!list(&refused["cells"]).is_empty());
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
    // No game can reach this position.
    let keys = ["width", "height", "mines", "rows"];
    let position = json!({"width": 4, "height": 2, "mines": 3, "rows": ["#2#8", "1F00"]});
    assert_eq!(server.post("/api/solve", &position).status, 422);
    let written = server.post("/api/write", &position).json(200);
    for text in [
        &written["text"],
        &written["mine"],
        &written["links"][0]["url"],
    ] {
        let read = server.post("/api/read", &json!({"text": text})).json(200);
        assert_eq!(keys.map(|key| &read[key]), keys.map(|key| &position[key]));
    }
}

#[test]
fn a_position_beyond_the_node_limit_is_still_read() {
    let rows = "#".repeat(19) + "\n" + &"#4".repeat(9) + "#\n";
    let text = format!("19x18x180\n{}", rows.repeat(9));
    let server = Server::start("--node-limit 1");
    let read = server.post("/api/read", &json!({"text": text})).json(200);
    assert_eq!(list(&read["rows"]).len(), 18);
}

#[test]
fn a_position_too_hard_to_count_has_the_proofs_of_its_numbers() {
    let server = Server::start("--node-limit 1");
    let mut question = json!({"width": 5, "height": 2, "mines": 2, "rows": ["#####", "11211"], "players": ["4.0"]});
    let answer = server.post("/api/analyse", &question).json(200);
    let why = answer["too_hard"].as_str().unwrap();
    assert!(why.contains("the limit of 1 nodes") && why.contains("pairs"));
    assert_eq!(answer["safe"], json!([[0, 0], [0, 2], [0, 4]]));
    assert_eq!(answer["mines"], json!([[0, 1], [0, 3]]));
    assert_eq!(list(&answer["why"]).len(), 5);
    assert_eq!(
        answer["mine_probability"],
        json!([[0.0, 1.0, 0.0, 1.0, 0.0], [null, null, null, null, null]])
    );
    assert_eq!(
        (&answer["win"], list(&answer["advice"]).len()),
        (&Value::Null, 0)
    );
    question["rows"] = json!(["#####", "11311"]);
    assert_eq!(server.post("/api/analyse", &question).status, 422);
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
        (&answer["won"], list(&answer["advice"]).len()),
        (&json!(false), 1)
    );
    // There are as many covered cells as mines, but the numbers contradict each other.
    let question = json!({"width": 3, "height": 2, "mines": 1, "rows": ["#10", "210"]});
    assert_eq!(server.post("/api/analyse", &question).status, 422);
}
