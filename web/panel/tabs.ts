import { approvalTab } from './approval/tab.ts'
import { commentsTab } from './comments/tab.ts'
import { pollTab } from './poll/tab.ts'
import type { Tab } from './tab.ts'

/** The tabs that there are, in their order. */
export const TABS: readonly Tab[] = [commentsTab, pollTab, approvalTab]
