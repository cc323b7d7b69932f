/** What an event has that takes a number, for tests of its mails. */
export const NUMBERED = {
  ...{ accountId: 'acc_1', at: '2026-01-02T03:04:05.000000Z' },
  ...{ objectId: 'rsp_1', itemId: 'rsp_1', isOwn: false, place: null },
}
