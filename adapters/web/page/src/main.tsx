import { render } from "preact";
import { App } from "./app.js";
import { takeKey } from "./net/session-key.js";
import { newRoom } from "./state/model.js";
import { loadSeen } from "./state/preferences.js";
import { createStore } from "./state/store.js";
import { MAIN_ROOM } from "./text/room-names.js";
import "./styles/index.css";

const store = createStore({
  key: takeKey(),
  refused: false,
  rooms: [],
  team: [],
  started: [],
  seen: loadSeen(),
  room: newRoom(MAIN_ROOM),
});
const root = document.getElementById("app");
if (root !== null) render(<App store={store} />, root);
