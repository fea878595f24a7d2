// The service worker of the static files: the page works without a network after the first visit.
//
// The names of all files except index.html change with their contents, so that a page never gets a file of another build. index.html comes
// from the network if the network answers. The cached files of the previous build stay for pages that are still open.

/** `index`: the hash of index.html; `files`: the files of the page; `models`: all models; `first`: the models cached at the first visit. */
const BUILD = { index: '', files: [], first: [], models: [] }; // src/page/build writes this line.
/** The maximum time that the network may take for index.html, in milliseconds. */
const PATIENCE = 3000;
// The names of the caches contain the scope, because other pages of the same host have caches too.
const PAGES = `mineflow page ${registration.scope} `;
const PAGE = PAGES + BUILD.index;
const MODELS = `mineflow models ${registration.scope}`;

async function install() {
  const [page, models] = await Promise.all([PAGE, MODELS].map((name) => caches.open(name)));
  // The hash rejects the index.html of another build, in case the server has changed since it served this file.
  await page.put('./', await fetch('./', { cache: 'reload', integrity: BUILD.index }));
  await page.addAll(BUILD.files);
  for (const model of BUILD.first) if (!(await models.match(model))) await models.add(model);
  await skipWaiting();
}

/** Removes all builds except the last two, and models that the current build does not list. */
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
