import type { Page } from '../../boot.ts'
import { nameOf } from '../words.ts'

export default function EditTab({ page }: { page: Page }) {
  return <h2>Edit of {nameOf(page)}</h2>
}
