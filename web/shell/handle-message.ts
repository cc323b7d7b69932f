import type { Submission } from '../runtime/submission.ts'

/** What the shell and the page's first script tell each other. Both ends are built together. */

export type Area = 'local' | 'session' | 'cookie'
export type Entries = [key: string, value: string][]

/** Of one area, in characters of keys and values: what browsers give an origin. */
export const QUOTA = 5 * 1024 * 1024

/** Handed in as the frame's name, which a document can read before anything else happens. */
export interface Handed extends Record<Area, Entries> {
  /** Known to the shell and to the documents that it frames. */
  handbill: string
  /** The shell's origin. */
  shell: string
}

/** The first word, to the shell's window, with the port that all others take. */
export interface Hello {
  handbill: string
}

export type FrameMessage =
  /** Where the frame is: below the page's files, with query and hash. */
  | { at: string; title: string }
  /** To another file of the page. */
  | { go: string }
  | { area: Area; key: string | null; value: string | null }
  | { height: number }
  /** With a port of its own, which takes the `Answer`. */
  | { send: Submission }

/** From a frame inside the page to the document around it, with the port for the `Answer`. */
export interface Passed {
  /** `FILES`, which nobody knows but the documents of this page. */
  handbill_files: string
  send: Submission
}

/** What another window of the same page stored. */
export interface Stored {
  key: string
  old_value: string | null
  value: string | null
}
