import type { Page } from '../../boot.ts'
import { nameOf } from '../words.ts'

export default function ApprovalsTab({ page }: { page: Page }) {
  return <h2>Approvals of {nameOf(page)}</h2>
}
