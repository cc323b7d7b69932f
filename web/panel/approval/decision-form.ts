import type { Chosen } from '../../../src/features/approvals/contract.ts'
import { field, fill, h } from '../elements.ts'
import type { TabContext } from '../tab.ts'

const NOTE_LENGTH = 2000

interface DecisionFormOptions extends Pick<TabContext, 'announce' | 'pagePath'> {
  decide(chosen: Chosen): Promise<'left' | 'mailed'>
}

interface Shape {
  /** The viewer has confirmed no approver's address, so the decision is confirmed by mail. */
  asksEmail: boolean
}

/** The form of a decision. It keeps what was typed while the tab around it changes. */
export function createDecisionForm({ decide, announce, pagePath }: DecisionFormOptions) {
  const draft = createDraft(`handbill:approval-note:${pagePath}`)
  const email = h('input', {
    ...{ type: 'email', name: 'email', autocomplete: 'email', maxlength: 320 },
  })
  const note = h('textarea', {
    ...{ name: 'note', rows: 3, maxlength: NOTE_LENGTH, dir: 'auto' },
    oninput: () => draft.write(note.value),
  })
  const alert = h('p', { class: 'error', role: 'alert' })
  const approve = choiceButton('Approve', 'button', 'approved')
  const requestChanges = choiceButton('Request changes', 'button quiet', 'changes_requested')
  const form = h('form', { class: 'stack', onsubmit: (event) => event.preventDefault() })
  const sent = h('div', { class: 'stack' })
  let asksEmail = false
  let isSent = false
  note.value = draft.read()

  // The Enter key must not choose a decision.
  function choiceButton(label: string, look: string, decision: Chosen['decision']) {
    const onclick = () => void choose(decision)
    return h('button', { type: 'button', class: look, onclick }, label)
  }

  async function choose(decision: Chosen['decision']): Promise<void> {
    if (approve.disabled || (asksEmail && !hasEmail())) return
    setBusy(true)
    fill(alert)
    try {
      const given = { decision, note: note.value.trim() || null }
      const address = email.value.trim()
      const outcome = await decide({ ...given, email: asksEmail ? address : null })
      if (outcome === 'mailed') showSent(address)
    } catch (err) {
      fill(alert, (err as Error).message)
    }
    setBusy(false)
  }

  function hasEmail(): boolean {
    email.required = true
    return email.reportValidity()
  }

  function setBusy(isBusy: boolean): void {
    approve.disabled = isBusy
    requestChanges.disabled = isBusy
  }

  /** The same words for every address: they do not reveal whether it is an approver's. */
  function showSent(address: string): void {
    isSent = true
    fill(
      sent,
      h(
        'p',
        {},
        'If ',
        h('b', { dir: 'auto' }, address),
        ' was asked to approve this page, a mail with a link is on its way.',
      ),
      h(
        'p',
        { class: 'hint' },
        'Your decision counts once you confirm it there. The link works once, for 15 minutes.',
      ),
      h(
        'button',
        { type: 'button', class: 'button quiet', onclick: again },
        'Change and send again',
      ),
    )
    form.replaceWith(sent)
    announce('A mail with a link is on its way')
  }

  function again(): void {
    isSent = false
    sent.replaceWith(form)
    email.focus()
  }

  return {
    /** @returns the form, or what was sent by it */
    show(shape: Shape): HTMLElement {
      if (shape.asksEmail !== asksEmail) isSent = false
      asksEmail = shape.asksEmail
      fill(
        form,
        asksEmail && field('Your email', email),
        field('Note', note, 'optional'),
        h('div', { class: 'choices' }, approve, requestChanges),
        h('p', { class: 'hint' }, asksEmail ? BY_MAIL : IN_BROWSER),
        alert,
      )
      return isSent ? sent : form
    },
    focus: () => note.focus(),
  }
}

const IN_BROWSER =
  'The next page shows your decision once more. It counts once you confirm it there.'
const BY_MAIL = 'We mail you a link. Your decision counts once you confirm it there.'

/** Keeps what was typed while the visitor is on the page that confirms the decision. */
function createDraft(key: string) {
  return {
    read(): string {
      try {
        return sessionStorage.getItem(key) ?? ''
      } catch {
        return ''
      }
    },
    write(text: string): void {
      try {
        if (text === '') sessionStorage.removeItem(key)
        else sessionStorage.setItem(key, text)
      } catch {
        // Without storage the note is typed again after coming back.
      }
    },
  }
}
