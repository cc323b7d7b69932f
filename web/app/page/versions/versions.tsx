import type { Page } from '../../boot.ts'
import { nameOf } from '../words.ts'

export default function VersionsTab({ page }: { page: Page }) {
  return <h2>Versions of {nameOf(page)}</h2>
}
