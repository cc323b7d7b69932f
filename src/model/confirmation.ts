/** An action that an email address has to confirm, by a one-time link or a code. */
export interface Confirmation {
  id: string
  /** Names the confirmation action: `sign_in`, `open_page`, … */
  purpose: string
  email: string
  page_id: string | null
  details: Record<string, unknown> | null
  created_at: string
  expires_at: string
}
