import { followPlace, wantedPath } from './address.ts'
import { createFrame } from './frame.ts'
import type { FrameMessage } from './handle-message.ts'
import { openStore } from './page-storage.ts'
import { keepPrinting } from './printing.ts'
import { createSending } from './sending.ts'

/** What the server's markup says of this page. */
const {
  files = '',
  page = '',
  only = '',
  key = '',
  origin = '',
  token = '',
} = document.body.dataset

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
  const sending = createSending(token)
  frame.hear((said: FrameMessage, answers?: MessagePort) => {
    if ('at' in said) place.told(said.at, said.title)
    else if ('go' in said) place.go(said.go)
    else if ('height' in said) printing.told(said.height)
    else if ('send' in said) sending.told(said.send, answers)
    else store.told(said)
  })
  store.watch(frame.say)
}

void start()
