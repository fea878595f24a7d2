// The service worker of the static files: the page works without a network after the first visit.
//
// The names of all files but index.html change with their content: a page never gets a file of another build. index.html comes from
// the network where that answers; what was kept for the build before stays for pages that are still open.

/** `index`: the hash of index.html; `files` of the page; all `models`, of which the `first` are kept at the first visit. */
const BUILD = { index: '', files: [], first: [], models: [] }; // web/build writes this line.
/** How long the network may take for index.html, in milliseconds. */
const PATIENCE = 3000;
// Other pages of the same host have caches too.
const PAGES = `mineflow page ${registration.scope} `;
const PAGE = PAGES + BUILD.index;
const MODELS = `mineflow models ${registration.scope}`;

async function install() {
  const [page, models] = await Promise.all([PAGE, MODELS].map((name) => caches.open(name)));
  // The hash refuses the index.html of another build, if the server has changed since it gave this file.
  await page.put('./', await fetch('./', { cache: 'reload', integrity: BUILD.index }));
  await page.addAll(BUILD.files);
  for (const model of BUILD.first) if (!(await models.match(model))) await models.add(model);
  await skipWaiting();
}

/** Removes the builds before the last two, and models that are gone. */
async function clean() {
  const pages = (await caches.keys()).filter((name) => name.startsWith(PAGES) && name !== PAGE);
  for (const name of pages.slice(0, -1)) await caches.delete(name);
  const models = await caches.open(MODELS);
  const known = BUILD.models.map((model) => registration.scope + model);
  for (const { url } of await models.keys()) if (!known.includes(url)) await models.delete(url);
  await clients.claim();
}

async function answer(request) {
  const url = request.url.split(/[?#]/)[0];
  const file = url.slice(registration.scope.length);
  if (file === '' || file === 'index.html') {
    try {
      const response = await fetch(request, { cache: 'no-cache', signal: AbortSignal.timeout(PATIENCE) });
      if (response.status < 400) return response;
    } catch {
      // There is no network.
    }
    return (await (await caches.open(PAGE)).match('./')) ?? fetch(request);
  }
  const kept = await caches.match(url);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && BUILD.models.includes(file)) await (await caches.open(MODELS)).put(url, response.clone());
  return response;
}

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(clean()));
addEventListener('fetch', (event) => event.request.method === 'GET' && event.request.url.startsWith(registration.scope) && event.respondWith(answer(event.request)));
