import { dataOf, type Owner, pro } from './client.ts'
import { html, word } from './material.ts'

export interface Event {
  id: string
  at: string
  type: string
  page_id: string
  page_title: string
  link_id: null
  comment?: { body: string }
}
export interface Feedback {
  items: Event[]
  cursor: string
  more: boolean
}

export const read = async (by: Owner, query = '', path = '') =>
  dataOf<Feedback>(await by.call('GET', `${path}/feedback${query}`))
export const bodiesIn = ({ items }: Feedback) => items.map(({ comment }) => comment?.body)
export const talk = () =>
  pro.publish({ html: html('x'), title: word('Talk'), allow_comments: true })
