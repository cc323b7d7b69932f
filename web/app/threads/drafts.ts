import { useSyncExternalStore } from 'preact/compat'
import { newKey } from '../../../src/client/index.ts'
import { stored } from '../../stored.ts'
import { createStore } from '../store.ts'

/** A reply that the server does not have yet. */
export interface ReplyDraft {
  text: string
  /** The idempotency key of this text: two tabs that send it post one reply. */
  key: string
  /** Why it was not sent; null if it was not tried, or its answer is awaited. */
  problem: string | null
}

const PREFIX = 'handbill:reply:'
const MAX_CHARS = 20_000

/** By thread, those that were read or written here. */
const drafts = createStore(new Map<string, ReplyDraft | null>())

/** Keeps what is typed in this browser until the server has it. */
export function writeReplyDraft(threadId: string, draft: ReplyDraft | null): void {
  const next = draft?.text.trim() ? draft : null
  store(threadId, next)
  drafts.set(new Map(drafts.get()).set(threadId, next))
}

export function useReplyDraft(threadId: string): ReplyDraft | null {
  return useSyncExternalStore(drafts.subscribe, () => {
    const all = drafts.get()
    if (!all.has(threadId)) all.set(threadId, storedDraft(threadId))
    return all.get(threadId)!
  })
}

function storedDraft(threadId: string): ReplyDraft | null {
  const draft = stored('localStorage', PREFIX + threadId).readJson()
  const { text, key, problem } = (draft ?? {}) as Record<string, unknown>
  if (typeof text !== 'string') return null
  return { text, key: textOrNull(key) ?? newKey(), problem: textOrNull(problem) }
}

function store(threadId: string, draft: ReplyDraft | null): void {
  if (draft !== null && draft.text.length > MAX_CHARS) return
  stored('localStorage', PREFIX + threadId).write(draft && JSON.stringify(draft))
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
