import type { PanelData } from '../../src/model/conversation.ts'
import { approvalTab } from './approval/tab.tsx'
import { commentsTab } from './comments/tab.tsx'
import { startPanel } from './panel.ts'
import { pollTab } from './poll/tab.tsx'
import type { Tab } from './tab.ts'

/** The tabs that there are, in their order. */
const TABS: readonly Tab[] = [commentsTab, pollTab, approvalTab]

const host = document.getElementById('conversations')
if (host?.dataset.panel !== undefined) {
  startPanel(host, JSON.parse(host.dataset.panel) as PanelData, TABS)
}
