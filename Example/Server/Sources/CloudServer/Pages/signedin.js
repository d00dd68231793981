"use strict";
// Gives the token to the page that opened this one, if that is a page of the app.
const token = document.getElementById("token");
if (window.opener) {
    for (const origin of token.dataset.origins.split(" ").filter(Boolean)) {
        window.opener.postMessage({ ckWebAuthToken: token.textContent }, origin);
    }
}
