import { collect } from './collect.ts'
import { disableSubmits } from './elements.ts'
import type { Submit } from './handover.ts'
import type { Outbox, Watcher } from './outbox.ts'
import { refused } from './refused.ts'
import { showFailed, showState, tell } from './states.ts'
import { createStyle } from './style.ts'

const KEPT =
  'There is no connection. This is kept while the page stays open, and sent once there is one.'
const SENT = 'Sent. Thank you.'

/** Sends forms and shows on each how far it is. */
export function createForms(outbox: Outbox) {
  const style = createStyle()
  const underWay = new WeakSet<HTMLFormElement>()
  /** How to take back what a form has waiting: what is sent now stands in its place. */
  const kept = new WeakMap<HTMLFormElement, () => void>()

  function watch(form: HTMLFormElement): Required<Watcher> {
    let release = () => {}
    const end = () => {
      underWay.delete(form)
      release()
    }
    return {
      sending() {
        underWay.add(form)
        release = disableSubmits(form)
        showState(form, 'sending', '')
      },
      sent(receipt) {
        end()
        showState(form, 'sent', form.getAttribute('data-success') ?? SENT)
        tell(form, 'service:submitted', receipt)
      },
      failed(error) {
        end()
        showFailed(form, error)
      },
      kept() {
        end()
        showFailed(form, refused('offline', KEPT))
      },
    }
  }

  return {
    submit({ form, submitter }: Submit): void {
      if (underWay.has(form)) return
      kept.get(form)?.()
      const payload = collect(form, submitter)
      const watcher = watch(form)
      style.adopt(form.getRootNode())
      watcher.sending()
      kept.set(form, outbox.add(payload, watcher))
    },
  }
}
