import { createForms } from './forms.ts'
import { BEGIN } from './handover.ts'
import { addHoneypots } from './honeypot.ts'
import { createOutbox } from './outbox.ts'
import { deliver } from './retry.ts'
import { directTransport, shellTransport } from './transport.ts'

const MAX_NAME_CHARS = 1000

/** What makes a page's forms and `Service.submit` work; the stub has kept what came before. */
function start(script: HTMLScriptElement): void {
  const { token, stamp = '' } = script.dataset
  const send = token === undefined ? shellTransport() : directTransport(script, token)
  const outbox = createOutbox((payload, id) => deliver(send, { stamp, id, ...payload }))
  const forms = createForms(outbox)
  addHoneypots()
  window[BEGIN]?.((item) => {
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

const script = document.currentScript as HTMLScriptElement
// A saved copy of a page also holds the script as it was saved, with the token of who saved it:
// the first one is what was served now.
if ([null, script].includes(document.querySelector('script[data-stamp]'))) start(script)
