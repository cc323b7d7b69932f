import type { PanelData } from '../../src/model/conversation.ts'
import { restoreFocus } from '../restore-focus.ts'
import threadStyles from '../threads/threads.css' with { type: 'text' }
import { createCalls } from './calls.ts'
import { keepTimes } from './components.tsx'
import { confirmEmail } from './confirm-email.tsx'
import documentStyles from './document.css' with { type: 'text' }
import { createFramedPage } from './framed-page.ts'
import styles from './panel.css' with { type: 'text' }
import { createPoller } from './polling.ts'
import { styleOf } from './style.ts'
import type { Mount, Tab, TabContext } from './tab.ts'
import { createView } from './view.tsx'

/** Starts the tabs of the conversations that the page has, and shows their buttons. */
export function startPanel(host: HTMLElement, data: PanelData, allTabs: readonly Tab[]): void {
  const countOf = ({ id }: Tab) => data.conversations.find((each) => each.id === id)?.count
  const counts = new Map(allTabs.map((tab) => [tab, countOf(tab)]))
  const tabs = allTabs.filter((tab) => counts.get(tab) !== undefined)
  if (tabs.length === 0) return
  const root = host.attachShadow({ mode: 'open' })
  document.head.append(styleOf(documentStyles))
  root.append(styleOf([styles, threadStyles, ...tabs.map((tab) => tab.styles ?? '')].join('\n')))

  const shell = window.handbillShell
  const frame = createFramedPage(shell, data.stamp)
  const calls = createCalls(data, frame.sourceToken)
  // `#~comments/cmt_…` in the address, which a mail's link has.
  const [, tabId, target = null] = /^#~(\w+)(?:\/(\w+))?$/.exec((shell ?? location).hash) ?? []
  const mounts = new Map<Tab, Mount>()
  const pollers: (() => void)[] = []
  const reschedule = () => {
    for (const schedule of pollers) schedule()
  }
  const view = createView({
    host,
    root,
    fontsUrl: data.fonts_url,
    stateKey: `handbill:panel:${data.page_path}`,
    tabs,
    counts,
    mount: (tab, container) => mounts.get(tab)?.(container),
    onShow: reschedule,
  })
  document.addEventListener('visibilitychange', reschedule)

  function contextOf(tab: Tab): TabContext {
    const context: TabContext = {
      ...calls,
      confirmEmail: (container, reason) => confirmEmail(context, container, reason),
      poll(task) {
        const poller = createPoller({
          task,
          isOpen: context.isOpen,
          isVisible: () => document.visibilityState === 'visible',
        })
        pollers.push(poller.schedule)
        return poller
      },
      frame,
      setCount: (count) => view.setCount(tab, count),
      announce: view.announce,
      open: () => view.open(tab),
      isOpen: () => view.openTab() === tab,
      createLayer() {
        const layer = document.createElement('div')
        root.append(layer)
        return layer
      },
      pagePath: data.page_path,
      sendsMails: data.sends_mails,
      cardsUrl: data.cards_url,
      target: tab.id === tabId ? target : null,
      pageId: data.page_id,
    }
    return context
  }
  for (const tab of tabs) mounts.set(tab, tab.start(contextOf(tab)))
  view.restore(tabId)
  keepTimes(root)
  restoreFocus(root, 'header h2, [role=tab][aria-selected=true]')
}
