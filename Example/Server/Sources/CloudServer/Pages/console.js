"use strict";

// The live feed of changes: asks for what has come since the last answer, and puts it on top.
const live = document.getElementById("live");
if (live) {
    const rows = document.getElementById("rows");
    const pause = 1000;
    const longestPause = 15000;
    let failures = 0;

    const ask = async () => {
        if (!document.hidden) {
            try {
                const address = new URL(live.dataset.feed, location.href);
                address.searchParams.set("since", live.dataset.position);
                const answer = await fetch(address);
                if (!answer.ok) throw new Error(answer.status);
                live.dataset.position = answer.headers.get("X-Position");
                // The server has escaped every value in the rows.
                rows.insertAdjacentHTML("afterbegin", await answer.text());
                while (rows.rows.length > 500) rows.lastElementChild.remove();
                failures = 0;
                live.textContent = "Live";
            } catch {
                failures += 1;
                live.textContent = "The server does not answer.";
            }
            live.classList.toggle("on", failures === 0);
        }
        setTimeout(ask, Math.min(pause * 2 ** failures, longestPause));
    };
    ask();
}

// A picture that is none leaves no gap.
for (const picture of document.querySelectorAll("img.picture")) {
    const remove = () => picture.remove();
    if (picture.complete && picture.naturalWidth === 0) remove();
    picture.addEventListener("error", remove);
}

// "/" goes to the query, and Escape closes an open menu.
document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input, select, textarea");
    if (event.key === "/" && !isTyping) {
        const value = document.querySelector("form.query input[name=value]");
        if (value) {
            event.preventDefault();
            value.focus();
        }
    }
    if (event.key === "Escape") {
        for (const menu of document.querySelectorAll("details[open]")) {
            menu.open = false;
            menu.querySelector("summary").focus();
        }
    }
});
