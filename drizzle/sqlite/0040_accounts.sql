ALTER TABLE `tenants` ADD `requires_second_factor` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `method` text;--> statement-breakpoint
ALTER TABLE `users` ADD `provider_issuer` text;--> statement-breakpoint
ALTER TABLE `users` ADD `provider_subject` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_provider` ON `users` (`provider_issuer`,`provider_subject`);