import { collectForm } from './collect.ts'
import { disableSubmitButtons, elementsOf } from './elements.ts'
import { dispatch, showError, showState } from './form-state.ts'
import type { Outbox, SubmitListener } from './outbox.ts'
import type { FormSubmit } from './stub-queue.ts'
import { createStyle } from './style.ts'
import { submitError, UNANSWERED } from './submit-error.ts'

const NO_FILES = 'Nothing was sent: this form cannot send files. Remove the file and send again.'
const SENT = 'Sent. Thank you.'

/** Sends forms and shows the state of each. */
export function createForms(outbox: Outbox) {
  const style = createStyle()
  const sending = new WeakSet<HTMLFormElement>()
  /** Functions that cancel the form's last submission if it still waits in the outbox. */
  const cancellers = new WeakMap<HTMLFormElement, () => void>()

  function createListener(form: HTMLFormElement): Required<SubmitListener> {
    let enableButtons = () => {}
    const end = () => {
      sending.delete(form)
      enableButtons()
    }
    return {
      sending() {
        sending.add(form)
        enableButtons = disableSubmitButtons(form)
        // The stub has emptied the message. If it has said since that nothing is sent, that stays.
        showState(form, 'sending')
      },
      sent(receipt) {
        end()
        showState(form, 'sent', form.getAttribute('data-success') ?? SENT)
        dispatch(form, 'service:submitted', receipt)
      },
      failed(error) {
        end()
        showError(form, error)
      },
      waiting() {
        end()
        showError(form, submitError('offline', UNANSWERED))
      },
    }
  }

  return {
    submit({ form, submitter }: FormSubmit): void {
      if (sending.has(form)) return
      cancellers.get(form)?.()
      if (elementsOf(form).some(hasChosenFile)) {
        style.adopt(form.getRootNode())
        showError(form, submitError('files', NO_FILES))
        return
      }
      const payload = collectForm(form, submitter)
      const listener = createListener(form)
      style.adopt(form.getRootNode())
      listener.sending()
      cancellers.set(form, outbox.add(payload, listener))
    },
  }
}

/** Responses hold no files: sending the rest would look as if the file had arrived. */
function hasChosenFile(element: Element): boolean {
  if (!(element instanceof HTMLInputElement) || element.type !== 'file') return false
  return !element.matches(':disabled') && (element.files?.length ?? 0) > 0
}
