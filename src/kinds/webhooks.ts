/** How far the delivery of a batch is. */
export const batchStates = ['collecting', 'pending', 'retrying', 'delivered', 'failed'] as const
