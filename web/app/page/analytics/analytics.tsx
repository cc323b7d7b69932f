import type { Page } from '../../boot.ts'
import { nameOf } from '../words.ts'

export default function AnalyticsTab({ page }: { page: Page }) {
  return <h2>Analytics of {nameOf(page)}</h2>
}
