import { createForms } from './forms.ts'
import { BEGIN } from './handing.ts'
import { createOutbox } from './outbox.ts'
import { layTraps } from './trap.ts'
import { deliver } from './tries.ts'
import { directly, throughShell } from './ways.ts'

const MOST_NAME_CHARS = 1000

/** What makes a page's forms and `Service.submit` work; the stub has kept what came before. */
function start(script: HTMLScriptElement): void {
  const { token, stamp = '' } = script.dataset
  const send = token === undefined ? throughShell() : directly(script, token)
  const outbox = createOutbox((letter, id) => deliver(send, { stamp, id, ...letter }))
  const forms = createForms(outbox)
  layTraps()
  window[BEGIN]?.((item) => {
    if ('form' in item) {
      forms.submit(item)
      return
    }
    const { data, name, resolve, reject } = item
    const letter = { data, controls: [] }
    const named = typeof name === 'string' && { name: name.slice(0, MOST_NAME_CHARS) }
    outbox.add({ ...letter, ...named }, { sent: resolve, failed: reject })
  })
}

const script = document.currentScript as HTMLScriptElement
// A page may hold a copy of what once stood in it, with a token of somebody else's.
if ([null, script].includes(document.querySelector('script[data-stamp]'))) start(script)
