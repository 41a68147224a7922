// The page: what stands where.

import { render } from "preact";
import "@preact/signals"; // makes components follow the signals they read
import { listenToKeys } from "./keyboard";
import { connect } from "./link";
import { Dialogs, Notices } from "./panels/dialogs";
import { Inspector } from "./panels/inspector";
import { Splits } from "./panels/splits";
import { StatusBar } from "./panels/status-bar";
import { Toolbar } from "./panels/toolbar";
import { LeftSide } from "./panels/tree";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/controls.css";
import "./styles/overlay.css";
import { Timeline } from "./timeline/timeline";
import { Viewport } from "./view/viewport";

function App() {
  return (
    <div class="app">
      <Toolbar />
      <LeftSide />
      <Viewport />
      <Inspector />
      <StatusBar />
      <Timeline />
      <Splits />
      <Dialogs />
      <Notices />
    </div>
  );
}

void connect(); // first: the session answers while the view wakes the graphics driver
render(<App />, document.getElementById("app")!);
listenToKeys();
