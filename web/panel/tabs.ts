import { approvalTab } from './approval/tab.ts'
import type { Tab } from './tab.ts'

/** The tabs that there are, in their order. */
export const TABS: readonly Tab[] = [approvalTab]
