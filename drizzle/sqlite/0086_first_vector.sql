ALTER TABLE `events` ADD `response_id` text;--> statement-breakpoint
CREATE INDEX `events_response` ON `events` (`tenant_id`,`response_id`) WHERE "events"."response_id" is not null;--> statement-breakpoint
ALTER TABLE `responses` ADD `tell_at` text;--> statement-breakpoint
CREATE INDEX `responses_untold` ON `responses` (`tell_at`) WHERE "responses"."tell_at" is not null;