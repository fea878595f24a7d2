"""The server of the Space: the environment of `mineflow.agent`."""

import uvicorn

from mineflow.agent import app as served

app = served(sessions=100)


def main() -> None:
    uvicorn.run(app, host="0.0.0.0", port=8000)


if __name__ == "__main__":
    main()
