import { measureVisibleTime } from '../time/visible-time.ts'
import { createForms } from './forms.ts'
import { addHoneypots } from './honeypot.ts'
import { createOutbox } from './outbox.ts'
import { deliver } from './retry.ts'
import { CONNECT, runtimeScript } from './stub-queue.ts'
import type { Send } from './submission.ts'
import { directTransport, noTransport, shellTransport } from './transport.ts'

const MAX_NAME_CHARS = 1000

/** Makes the page's forms and `Service.submit` work, starting with what the stub has queued. */
function start(script: HTMLScriptElement): void {
  const { stamp: sourceToken = '', token = '', preview } = script.dataset
  if (preview === undefined) {
    const { origin } = new URL(script.getAttribute('src') ?? '', location.href)
    measureVisibleTime({ origin, token, stamp: sourceToken, partNow: () => '' })
  }
  const send = transportOf(script)
  const outbox = createOutbox((payload, id) =>
    deliver(send, { stamp: sourceToken, id, ...payload }),
  )
  const forms = createForms(outbox)
  addHoneypots()
  window[CONNECT]?.((item) => {
    if ('form' in item) {
      forms.submit(item)
      return
    }
    const { data, name, resolve, reject } = item
    const payload = { data, controls: [] }
    const named = typeof name === 'string' && { name: name.slice(0, MAX_NAME_CHARS) }
    outbox.add({ ...payload, ...named }, { sent: resolve, failed: reject })
  })
}

function transportOf(script: HTMLScriptElement): Send {
  const { token, preview } = script.dataset
  if (preview !== undefined) return noTransport
  return token === undefined ? shellTransport() : directTransport(script, token)
}

const script = document.currentScript as HTMLScriptElement
if ([null, script].includes(runtimeScript())) start(script)
