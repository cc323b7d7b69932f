import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { sharing } from './sharing.ts'

const TIMEOUT = 60_000
const { openSharing } = sharing()

test(
  'links are made for people who are pasted, listed with who opened theirs, and switched off',
  async () => {
    const { dialog, problems } = await openSharing()
    await dialog.getByLabel('People', { exact: true }).fill('Ann (Acme) <ann@example.com>\nBen')
    await dialog.getByRole('button', { name: 'Make links' }).click()
    await dialog.getByText('2 links made').waitFor()
    const items = dialog.getByRole('list', { name: 'Links for people' }).getByRole('listitem')
    await becomes(() => items.count(), 2)
    expect((await items.allInnerTexts()).join()).toContain('Not opened yet')
    await dialog.getByRole('button', { name: 'Switch off the link of Ben' }).click()
    await dialog.getByRole('button', { name: 'Switch on the link of Ben' }).waitFor()
    expect(await dialog.getByRole('button', { name: /^Copy link of/ }).count()).toBe(1)
    expect(problems).toEqual([])
  },
  TIMEOUT,
)
