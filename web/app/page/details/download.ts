import type { Page } from '../../boot.ts'

/**
 * Saves the content of the draft or of a version: a deck as a zip, any other page as its file. The
 * browser saves it while it arrives; the dashboard stays as it is.
 */
export function downloadContent({ id }: Page, version?: number): void {
  const query = version === undefined ? '' : `?version=${version}`
  location.assign(`/app/pages/${id}/download${query}`)
}
