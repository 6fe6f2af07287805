/**
 * How many times as long `subject` takes as `control`. Each has its turn in every round, so that whatever else the
 * machine does slows both, and the median round counts. For `test/slow` alone: the other tests compare no times.
 */
export async function timesAsLong(
  subject: () => unknown,
  control: () => unknown,
  { rounds = 9 }: { rounds?: number } = {},
): Promise<number> {
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Whoever is second in one round is first in the next.
    if (round % 2 === 0) ratios.push((await timeOf(subject)) / (await timeOf(control)))
    else ratios.push(1 / ((await timeOf(control)) / (await timeOf(subject))))
  }
  return ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)] as number
}

async function timeOf(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
