import type { FormControl } from '../../../model/form.ts'

/** A response as it is stored. */
export interface StoredResponse {
  id: string
  respondent: string
  name: string | null
  submitted_at: string
  created_at: string
  page_version: string | null
  path: string
  submit_count: number
  /** The text of a JSON object that `assertSendable` let in. */
  data: string
  /**
   * What its form's controls said, where the published HTML does not say it. Neighbours that said
   * the same may share one array: it is then looked at once.
   */
  controls: readonly FormControl[] | null
}
