import { h } from '../../../web/elements.ts'
import { startPanel } from '../../../web/panel/panel.ts'
import type { Tab, TabContext } from '../../../web/panel/tab.ts'
import type { ConversationId, PanelData } from '../../model/conversation.ts'

/** The panel with tabs of the tests, which read and write notes. Bundled for a browser. */
const ICON = 'M2 3.5h12v8H7l-3 2.5v-2.5H2z'

function noteTab(id: ConversationId, label: string): Tab {
  return { id, label, icon: ICON, styles: '.notes { padding: 0 1em }', start: startNotes }
}

function startNotes(context: TabContext) {
  const list = h('ol', { class: 'notes' })
  const box = h('textarea', { 'aria-label': 'Comment', rows: 3 })
  const result = h('p', { role: 'status', class: 'hint' })
  const question = h('div', { class: 'asked' })
  let previous: number | null = null

  const poller = context.poll(async () => {
    const { version, state } = await context.call<{
      version: number
      state: { notes: string[] } | null
    }>('/~/notes/read', { known: previous })
    if (state === null) return false
    previous = version
    list.replaceChildren(...state.notes.map((text) => h('li', { dir: 'auto' }, text)))
    context.setCount(state.notes.length)
    return true
  })

  async function post(event: Event): Promise<void> {
    event.preventDefault()
    try {
      const { by, kind, path } = await context.call<{ by: string; kind: string; path: string }>(
        '/~/notes',
        { text: box.value },
      )
      result.textContent = `${kind} ${by} ${path}`
      box.value = ''
    } catch (err) {
      result.textContent = (err as Error).message
    }
    poller.now()
  }

  return (container: HTMLElement) => {
    const write = h(
      'form',
      { class: 'stack inset', onsubmit: (event) => void post(event) },
      box,
      h('button', { class: 'button' }, 'Post comment'),
      h('button', { type: 'button', class: 'button quiet', onclick: confirm }, 'Confirm me'),
      h('button', { type: 'button', class: 'button quiet', onclick: hide }, 'Rename the page'),
      result,
      question,
    )
    container.append(list, write)
  }

  async function confirm(): Promise<void> {
    const { emails } = await context.confirmEmail(question, 'comment')
    result.textContent = `confirmed ${emails.join(' ')}`
  }

  async function hide(): Promise<void> {
    const { title } = await context
      .ownerCall<{ title: string }>('PATCH', '', { title: 'Renamed' })
      .catch((err: Error) => ({ title: err.message }))
    result.textContent = title
  }
}

const TABS = [
  noteTab('comments', 'Comments'),
  noteTab('poll', 'Poll'),
  noteTab('approval', 'Approval'),
]
const host = document.getElementById('conversations')
if (host?.dataset.panel) startPanel(host, JSON.parse(host.dataset.panel) as PanelData, TABS)
