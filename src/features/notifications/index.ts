export { createNotifications, type Notifications } from './notifications.ts'
export type { Happening } from './store.ts'
