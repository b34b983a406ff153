"""A headless Chromium, driven over its debugging pipe with Python's standard library alone.

    with Chromium() as browser:
        page = browser.open("file:///tmp/catalogue/index.html", width=360, dark=True)
        page.evaluate("document.title")

See https://chromedevtools.github.io/devtools-protocol/ for the methods.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
SECONDS = 60
KEY_CODES = {"Tab": 9, "Enter": 13}


def find():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Chromium:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="metricc-browser-")
        to_browser, self.commands = os.pipe()
        self.events, from_browser = os.pipe()
        # The browser reads descriptor 3 and writes descriptor 4; the shell puts them there.
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}', find(), "--headless=new",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.notices = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.commands)
        os.close(self.events)
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, session=None, **params):
        """The result of a method; notices that come meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        """The next message; a notice is kept too."""
        end = time.monotonic() + SECONDS
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.events], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self.events, 1 << 16)
            if not chunk:
                raise EOFError("the browser has ended")
            self.buffer += chunk
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            self.notices.append(message)
        return message

    def open(self, url, width=1280, height=900, dark=False):
        """A page in a tab of its own, loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        for domain in ["Page", "Runtime", "Log", "Network"]:
            page.call(domain + ".enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        page.call("Emulation.setEmulatedMedia", features=[scheme])
        self.notices.clear()
        page.call("Page.navigate", url=url)
        while not any(n["method"] == "Page.loadEventFired" and n["sessionId"] == session for n in self.notices):
            self.receive()
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def evaluate(self, expression):
        """The value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def press(self, key, code=None, text=None):
        """A key, as a person presses it."""
        common = {"key": key, "code": code or key}
        if text:
            common["text"] = text
        if key in KEY_CODES:
            common["windowsVirtualKeyCode"] = KEY_CODES[key]
        self.call("Input.dispatchKeyEvent", type="keyDown", **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in common.items() if k != "text"})

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, path, whole=True):
        image = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))

    def faults(self):
        """What went wrong: errors and warnings of the console, refused or failed loads."""
        faults = []
        for notice in self.browser.notices:
            params = notice["params"]
            if notice.get("sessionId") != self.session:
                continue
            if notice["method"] == "Runtime.exceptionThrown":
                faults.append("exception: " + params["exceptionDetails"]["text"])
            if notice["method"] == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                faults.append("console: " + str(params["args"]))
            if notice["method"] == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                faults.append("log: " + params["entry"]["text"])
        return faults

    def requests(self):
        """The addresses asked for, but for data that stands in the page itself."""
        urls = [n["params"]["request"]["url"] for n in self.browser.notices
                if n["method"] == "Network.requestWillBeSent" and n.get("sessionId") == self.session]
        return [url for url in urls if not url.startswith("data:")]
