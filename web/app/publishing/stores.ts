import { createStore } from '../store.ts'
import type { Progress, PublishResult, Settings } from './publish.ts'
import type { Source } from './sources.ts'

// Apart from what works on them, which is loaded when something is dropped.

/** A page that is being made of what was dropped, or one that was updated by it. */
export interface Job {
  id: number
  /** Where it was dropped: the path of the screen. */
  screen: string
  state: 'waiting' | 'sending' | 'done' | 'failed'
  progress: Progress | null
  /** Why it failed, and whether another attempt could succeed. */
  problem: { message: string; canRetry: boolean } | null
  result: PublishResult | null
  /** The version that was live before an update; null for a new page. */
  previousVersion: number | null
  isCopied: boolean
  /** Which files of a folder are left out and why, in the words of the command line. */
  leftOut: string[]
  source: Source
  settings: Settings
  stop: AbortController
}

/** What was dropped, and the page that it could replace the content of. */
export interface Question {
  id: number
  pageId: string
  sources: readonly Source[]
  /** Whether the page was found by its name: it was not dropped there. */
  isNamesake: boolean
  /** Where new pages are made by a form: it takes what becomes none of this page. */
  form: ((sources: Source[]) => void) | null
}

export const jobs = createStore<Job[]>([])
export const questions = createStore<readonly Question[]>([])
/** A screen that takes what is dropped itself; null: it is published. */
export const dropTarget = createStore<((sources: Source[]) => void) | null>(null)
