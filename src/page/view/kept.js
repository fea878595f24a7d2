// What the browser keeps and is too large for settings: the folder of replays that was opened last, and its judged games.

const STORE = 'kept';
let base = null;

const result = (asked) =>
  new Promise((resolve, reject) => {
    asked.addEventListener('success', () => resolve(asked.result));
    asked.addEventListener('error', () => reject(asked.error));
  });

function open() {
  const asked = indexedDB.open('mineflow', 1);
  asked.addEventListener('upgradeneeded', () => asked.result.createObjectStore(STORE));
  return result(asked);
}

/** Does this with the store. The result is null for a missing key, and in a browser that keeps nothing. */
async function ask(act) {
  try {
    base ??= open();
    return (await result(act((await base).transaction(STORE, 'readwrite').objectStore(STORE)))) ?? null;
  } catch {
    return null;
  }
}

export const kept = {
  read: (key) => ask((store) => store.get(key)),
  write: (key, value) => ask((store) => store.put(value, key)),
  clear: () => ask((store) => store.clear()),
};
