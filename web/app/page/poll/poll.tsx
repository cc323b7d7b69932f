import type { Page } from '../../boot.ts'
import { nameOf } from '../words.ts'

export default function PollTab({ page }: { page: Page }) {
  return <h2>Poll of {nameOf(page)}</h2>
}
