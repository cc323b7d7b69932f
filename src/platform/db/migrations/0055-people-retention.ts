import { migrations } from '../migration.ts'

/** Finds what is known of people by its age and by their address. */
export const peopleRetention = migrations({
  '0055-people-retention': `
    CREATE INDEX confirmed_viewers_by_age ON confirmed_viewers (last_at);
    CREATE INDEX page_links_by_age ON page_links (coalesce(last_opened_at, sent_at));
    CREATE INDEX page_links_by_email ON page_links (email);`,
})
