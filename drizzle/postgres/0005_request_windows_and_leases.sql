CREATE UNLOGGED TABLE "request_windows" (
  "key" text COLLATE "C" PRIMARY KEY,
  -- Of what is counted, oldest first: when it came, in milliseconds since 1970, and how many requests it was.
  "times" bigint[] NOT NULL,
  "counts" integer[] NOT NULL,
  "total" bigint NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE FUNCTION "take_requests"(
  of_key text, at_most bigint, window_ms bigint, wanted integer, at bigint,
  OUT granted integer, OUT remaining bigint, OUT reset_ms bigint
) LANGUAGE plpgsql AS $$
DECLARE
  counted request_windows;
  now_ms bigint;
  newest bigint;
  gone integer := 0;
BEGIN
  LOOP
    SELECT * INTO counted FROM request_windows WHERE key = of_key FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO request_windows VALUES (of_key, '{}', '{}', 0) ON CONFLICT DO NOTHING;
  END LOOP;
  -- Only now, with the row in hand: whoever waited for it is later than whom they waited for.
  now_ms := coalesce(at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
  newest := counted.times[cardinality(counted.times)];
  IF newest > now_ms THEN
    -- The clock was set back. The newest counts as of now, and the others lie before it as they did.
    counted.times := ARRAY (SELECT t - (newest - now_ms) FROM unnest(counted.times) WITH ORDINALITY AS u(t, i) ORDER BY i);
  END IF;
  WHILE gone < cardinality(counted.times) AND counted.times[gone + 1] <= now_ms - window_ms LOOP
    gone := gone + 1;
    counted.total := counted.total - counted.counts[gone];
  END LOOP;
  IF gone > 0 THEN
    counted.times := counted.times[gone + 1:];
    counted.counts := counted.counts[gone + 1:];
  END IF;
  granted := greatest(0, least(wanted, at_most - counted.total));
  IF granted > 0 THEN
    counted.times := counted.times || now_ms;
    counted.counts := counted.counts || granted;
    counted.total := counted.total + granted;
  END IF;
  -- What is refused leaves no trace: it is not counted, and costs no write.
  IF granted > 0 OR newest > now_ms THEN
    UPDATE request_windows SET times = counted.times, counts = counted.counts, total = counted.total WHERE key = of_key;
  END IF;
  remaining := greatest(0, at_most - counted.total);
  reset_ms := greatest(1, coalesce(counted.times[1] + window_ms - now_ms, window_ms));
END
$$;
--> statement-breakpoint
CREATE UNLOGGED TABLE "leases" (
  "name" text COLLATE "C" PRIMARY KEY,
  "holder" text COLLATE "C" NOT NULL,
  "until" timestamptz NOT NULL
);
