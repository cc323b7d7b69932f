import type { Page } from '../../boot.ts'
import { nameOf } from '../words.ts'

export default function CommentsTab({ page }: { page: Page }) {
  return <h2>Comments of {nameOf(page)}</h2>
}
