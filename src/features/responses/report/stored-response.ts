import type { FormControl } from '../../../model/form.ts'

/** A response as it is read from the database. */
export interface StoredResponse {
  id: string
  respondent: string
  name: string | null
  submitted_at: string
  created_at: string
  page_version: string | null
  path: string
  submit_count: number
  /** The text of a JSON object that `validateSubmission` has accepted. */
  data: string
  /**
   * The controls that its form had and the published HTML does not have. Responses with equal
   * controls may share one array, so that the report builder processes it once.
   */
  controls: readonly FormControl[] | null
  /** The items of the list with this key that a filter picked; all items where it is not there. */
  pickedItems?: PickedItems
}

export interface PickedItems {
  key: string
  indexes: ReadonlySet<number>
}
