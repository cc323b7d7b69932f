import { followPlace, wantedPath } from './address.ts'
import { createFrame } from './frame.ts'
import { openStore } from './kept.ts'
import type { Said } from './messages.ts'
import { keepPrinting } from './printing.ts'

/** What the server's markup says of this page. */
const { files = '', page = '', only = '', key = '', origin = '' } = document.body.dataset

async function start(): Promise<void> {
  const store = openStore(key)
  const entries = store.read()
  const frame = createFrame({
    src: files + wantedPath(page, only),
    origin,
    entries: entries instanceof Promise ? await entries : entries,
  })
  const place = followPlace({ page, only, files, frame })
  const printing = keepPrinting()
  frame.hear((said: Said) => {
    if ('at' in said) place.told(said.at, said.title)
    else if ('go' in said) place.go(said.go)
    else if ('height' in said) printing.told(said.height)
    else store.told(said)
  })
  store.watch(frame.say)
}

void start()
