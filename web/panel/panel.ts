import type { PanelData, PanelViewer } from '../../src/model/conversation.ts'
import type { ShellBridge } from '../shell/bridge.ts'
import threadStyles from '../threads/threads.css' with { type: 'text' }
import { createCalls } from './calls.ts'
import { confirmEmail } from './confirm-email.tsx'
import documentStyles from './document.css' with { type: 'text' }
import styles from './panel.css' with { type: 'text' }
import { createPoller } from './polling.ts'
import { styleOf } from './style.ts'
import type { FramedPage, RunningTab, Tab, TabContext, ViewerState } from './tab.ts'
import { keepTimes } from './time.ts'
import { createView } from './view.ts'

/** Starts the tabs of the conversations that the page has, and shows their buttons. */
export function startPanel(host: HTMLElement, data: PanelData, tabs: readonly Tab[]): void {
  const shown = tabs.filter(({ id }) => data.conversations.some((each) => each.id === id))
  if (shown.length === 0) return
  const root = host.attachShadow({ mode: 'open' })
  document.head.append(styleOf(documentStyles))
  root.append(styleOf([styles, threadStyles, ...shown.map((tab) => tab.styles ?? '')].join('\n')))

  const shell = window.handbillShell
  const frame = createFramedPage(shell, data.stamp)
  const listeners: ((viewer: PanelViewer) => void)[] = []
  let current = data.viewer
  const calls = createCalls({
    data,
    sourceToken: frame.sourceToken,
    onRenewal({ viewer }) {
      const hasChanged = JSON.stringify(viewer) !== JSON.stringify(current)
      current = viewer
      if (hasChanged) for (const listener of listeners) listener(viewer)
    },
  })
  const viewer: ViewerState = {
    get current() {
      return current
    },
    async refresh() {
      await calls.renew()
      return current
    },
    onChange: (listener) => void listeners.push(listener),
  }
  // `#~comments/cmt_…` in the address, which a mail's link has.
  const [, opened = '', target = null] =
    /^#~(\w+)(?:\/(\w+))?$/.exec((shell ?? location).hash) ?? []
  const running = new Map<Tab, RunningTab>()
  const pollers: (() => void)[] = []
  const reschedule = () => {
    for (const schedule of pollers) schedule()
  }
  const view = createView({
    host,
    root,
    fontsUrl: data.fonts_url,
    stateKey: `handbill:panel:${data.page_path}`,
    tabs: shown.map((tab) => ({
      tab,
      count: data.conversations.find(({ id }) => id === tab.id)?.count ?? null,
      mount: (container: HTMLElement) => running.get(tab)?.mount(container),
    })),
    onShow(open, closed) {
      if (closed !== null) running.get(closed)?.onShow?.(false)
      if (open !== null) running.get(open)?.onShow?.(true)
      reschedule()
    },
  })
  document.addEventListener('visibilitychange', reschedule)

  function contextOf(tab: Tab): TabContext {
    return {
      call: <T>(path: string, input: object) => calls.call(path, input) as Promise<T>,
      ownerCall: <T>(...given: Parameters<typeof calls.ownerCall>) =>
        calls.ownerCall(...given) as Promise<T>,
      viewer,
      confirmEmail: (container, reason) =>
        confirmEmail({
          ...{ container, reason, calls, viewer, announce: view.announce },
          sendsMails: data.sends_mails,
        }),
      poll(task) {
        const { schedule, ...poller } = createPoller({
          task,
          isOpen: () => view.openTab() === tab,
          isVisible: () => document.visibilityState === 'visible',
        })
        pollers.push(schedule)
        return poller
      },
      frame,
      setCount: (count) => view.setCount(tab, count),
      announce: view.announce,
      open: () => view.open(tab),
      isOpen: () => view.openTab() === tab,
      showOverPage: (element) => root.append(element),
      pagePath: data.page_path,
      sendsMails: data.sends_mails,
      cardsUrl: data.cards_url,
      target: tab.id === opened ? target : null,
      pageId: data.page_id,
    }
  }
  for (const tab of shown) running.set(tab, tab.start(contextOf(tab)))
  view.restore(opened)
  keepTimes(root)
}

/**
 * The file that the visitor sees, by what the shell knows of its frame.
 *
 * @param shell undefined in the viewer of a PDF or image, which frames nothing
 * @param firstToken the source token of the file that was shown first
 */
function createFramedPage(shell: ShellBridge | undefined, firstToken: string): FramedPage {
  const sourceToken = () => shell?.stamp || firstToken

  return {
    isFramed: shell !== undefined,
    sourceToken,
    // Not of the address, where `/` or a route of a script can mean any file.
    path: () => fileOf(sourceToken()),
    box: () => document.querySelector('iframe')?.getBoundingClientRect() ?? null,
    onMove(listener) {
      let shown = ''
      shell?.onMessage((message) => {
        if (message.type !== 'location') return
        const moved = `${message.stamp} ${message.path.replace(/[?#].*/s, '')}`
        if (moved !== shown) listener()
        shown = moved
      })
    },
    post: (message) => shell?.post(message),
    onMessage: (listener) => shell?.onMessage(listener),
  }
}

/** The path of the file that a source token names. The page may say anything instead of one. */
function fileOf(sourceToken: string): string {
  const [content = ''] = sourceToken.split('.', 1)
  try {
    const text = atob(content.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
    return String(JSON.parse(new TextDecoder().decode(bytes))[1])
  } catch {
    return ''
  }
}
