import { expect, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { formTo, person } from '../gates/person.ts'
import { pdf } from '../material.ts'
import { sharing } from './sharing.ts'

const TIMEOUT = 240_000
const { openSharing } = sharing()

test(
  'links are made for people who are pasted, listed with who opened theirs, and switched off',
  async () => {
    const { tab, dialog, problems } = await openSharing()
    const answered = Promise.withResolvers<void>()
    await tab.route('**/app/api/pages/*/links/batch', async (route) => {
      await answered.promise
      await route.continue()
    })
    const people = dialog.getByLabel('People', { exact: true })
    await people.fill('Ann (Acme) <ann@example.com>\nBen')
    await dialog.getByRole('button', { name: 'Make links' }).click()
    // What is typed now would go with what was sent.
    await becomes(() => people.isEditable(), false)
    answered.resolve()
    await dialog.getByText('2 links made').waitFor()
    expect(await people.isEditable()).toBe(true)
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

test(
  'an agreement is a text or a PDF that is chosen; a new version asks again, until it is taken away',
  async () => {
    const { dialog, id, owner, tab, stored, problems } = await openSharing()
    const { slug } = await owner.page(id)
    const visitor = person()
    const version = async () => {
      const [agreement] = (await stored('agreement')) as [{ version: number; type: string } | null]
      return agreement && [agreement.version, agreement.type]
    }
    const isAsked = async () => (await visitor.open(`/p/${slug}`)).status === 403
    const ask = dialog.getByRole('switch', { name: 'Ask for agreement' })
    await ask.click()
    const save = dialog.getByRole('button', { name: 'Ask everybody' })
    expect(await save.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Agreement' }).fill('Tell nobody.')
    await save.click()
    await dialog.getByText('Version 1, a text. 0 people have agreed.').waitFor()
    expect(await version()).toEqual([1, 'text'])

    const { action, fields } = formTo(await visitor.open(`/p/${slug}`), '/agree')
    await visitor.post(action, { ...fields, name: '=Vic' })
    expect(await isAsked()).toBe(false)
    await tab.reload()
    await dialog.getByText('1 person has agreed.').waitFor()
    await dialog.getByText('=Vic', { exact: true }).waitFor()
    const [download] = await Promise.all([
      tab.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download CSV of who agreed' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${slug}-agreements.csv`)
    const csv = await Bun.file(await download.path()).text()
    expect(csv.trim().split('\n')).toHaveLength(2)
    expect(csv).toContain(",'=Vic,")

    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    const file = { name: 'nda.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf()) }
    await dialog.getByLabel('PDF of the agreement').setInputFiles(file)
    await dialog.getByText('nda.pdf').waitFor()
    await save.click()
    await dialog.getByText('Version 2, a PDF.').waitFor()
    expect(await version()).toEqual([2, 'pdf'])
    expect(await isAsked()).toBe(true)

    await ask.click()
    await becomes(version, null)
    expect(await isAsked()).toBe(false)
    expect(problems).toEqual([])
  },
  TIMEOUT,
)
