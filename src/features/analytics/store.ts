import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import { countBy, rowBy, upsertInto } from '../../platform/db/rows.ts'

/** Of a view, and the UTC day on which it began. */
export const findMeasured = rowBy('measured_views', ['page_id', 'day', 'view'])
export const saveMeasured = upsertInto('measured_views', 'page_id', 'day', 'view')
export const countMeasured = countBy('measured_views', 'page_id', 'day')
export const deleteMeasured = deletionOf<[beforeDay: number]>(
  'measured_views',
  'page_id, day, view',
  'day < $1',
)
