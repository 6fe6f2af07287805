CREATE TABLE "oauth_grants" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"client_hash" text COLLATE "C" NOT NULL,
	"client_name" text COLLATE "C" NOT NULL,
	"redirect_uri" text COLLATE "C" NOT NULL,
	"scopes" text COLLATE "C" NOT NULL,
	"code_hash" text COLLATE "C" NOT NULL,
	"code_challenge" text COLLATE "C" NOT NULL,
	"code_expires_at" text COLLATE "C" NOT NULL,
	"code_used_at" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	"last_used_at" text COLLATE "C",
	"expires_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "oauth_grants_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
CREATE TABLE "oauth_tokens" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"grant_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"expires_at" text COLLATE "C" NOT NULL,
	"spent_at" text COLLATE "C",
	CONSTRAINT "oauth_tokens_tenant_id_hash_pk" PRIMARY KEY("tenant_id","hash")
);

--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_tenant_id_grant_id_oauth_grants_tenant_id_id_fk" FOREIGN KEY ("tenant_id","grant_id") REFERENCES "public"."oauth_grants"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_grants_code" ON "oauth_grants" USING btree ("code_hash");
--> statement-breakpoint
CREATE INDEX "oauth_grants_user" ON "oauth_grants" USING btree ("tenant_id","user_id");
--> statement-breakpoint
CREATE INDEX "oauth_grants_expires" ON "oauth_grants" USING btree ("expires_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_tokens_hash" ON "oauth_tokens" USING btree ("hash");
--> statement-breakpoint
CREATE INDEX "oauth_tokens_grant" ON "oauth_tokens" USING btree ("tenant_id","grant_id");
--> statement-breakpoint
CREATE INDEX "oauth_tokens_expires" ON "oauth_tokens" USING btree ("expires_at");
