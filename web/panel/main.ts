import type { PanelData } from '../../src/model/conversation.ts'
import { startPanel } from './panel.ts'
import { TABS } from './tabs.ts'

const host = document.getElementById('conversations')
if (host?.dataset.panel !== undefined) {
  startPanel(host, JSON.parse(host.dataset.panel) as PanelData, TABS)
}
