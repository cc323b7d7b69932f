import { migrations } from '../migration.ts'

/** The named link by which somebody came who did something. */
export const eventLinks = migrations({
  '0053-event-links': 'ALTER TABLE feedback_events ADD COLUMN link_id text;',
})
